// Flawed programs as people write them, each with its mended twin. They know nothing of tests: they use global timers, `Date` and
// `performance`. A row has the name of its flaw, where people met it, the faults to search with, and how many are enough.

import { LocketError } from 'locket-wasm';
import Redlock from 'redlock';

const TTL = '15s';
const LEASE = 14_000;
const DEADLINE = { timeout: '5s' };
const USUAL = { pause: '20s', crash: '5s', lostMessage: true, lostReply: true, lateReply: '20s', locketCrash: '20s', partition: '20s' };

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** How a call ended: `ok`, `refused`, or `unknown`. */
async function attempt(call) {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (!(error instanceof LocketError)) throw error;
    return error.outcome === 'refused' ? 'refused' : 'unknown';
  }
}

const lockIt = (client, options = DEADLINE, owner = client.owner) => client.lock({ key: 'leader', owner, ttl: TTL }, options);

/** A flag of a program, which the test sees. */
function flagOf(region) {
  let leave;
  const flag = { isUp: false, until: 0, up: () => flag.set(true), down: () => flag.set(false) };
  flag.set = (isUp) => {
    if (isUp && !flag.isUp) leave = region.enter();
    if (!isUp && flag.isUp) leave();
    flag.isUp = isUp;
  };
  return flag;
}

/** Leads as long as a lease lasts that is counted from the request: the twin of many flaws. */
async function campaign({ client, lead, owner, options, from = (asked) => asked }) {
  const stepDown = leaseOf(lead);
  for (;;) {
    const asked = performance.now();
    if ((await attempt(lockIt(client, options, owner))) === 'ok') stepDown(from(asked) + LEASE);
    await sleep(4_000);
  }
}

/** Leads on while so many renewals fail, without a lease. */
const tolerating = (most) => async ({ client, lead }) => {
  for (let failures = 0; ; await sleep(4_000)) {
    const outcome = await attempt(lockIt(client));
    failures = outcome === 'unknown' ? failures + 1 : 0;
    if (failures === 0 || failures > most) lead.set(outcome === 'ok');
  }
};

/** Lets a flag fall at a time, which may be moved. After a pause other timers may run before this one. */
function leaseOf(lead) {
  let end;
  return (at) => {
    lead.until = at;
    clearTimeout(end);
    const left = at - performance.now();
    lead.set(left > 0);
    if (left > 0) end = setTimeout(lead.down, left);
  };
}

/** Two hosts want to lead; after the last fault one of them has to. */
const election = (program) => async ({ host, clock, oneAtATime, outside, healed, fail }) => {
  const leading = oneAtATime('leading');
  const look = outside('look', () => {});
  for (const name of ['a', 'b']) host(name, ({ client, start }) => program({ client, name, start, leading, look, lead: flagOf(leading) }));
  await clock.advanceAsync('1m');
  healed();
  await clock.advanceAsync('1m');
  if (leading.emptyMs > 30_000) fail('nobody leads, long after the last fault');
};

/** Two hosts write to a store that knows no locks. */
const writing = (program, { isFenced = false } = {}) => async ({ host, clock, oneAtATime, outside, fail }) => {
  const owning = oneAtATime('owning');
  const store = { version: 0 };
  const read = outside('read', () => store.version);
  const write = outside('write', (who, version) => {
    if (version === store.version) store.version += 1;
    else if (!isFenced) fail(`${who} overwrites version ${store.version}, having read version ${version}`);
    else throw new Error('conflict');
  });
  for (const name of ['a', 'b']) host(name, ({ client }) => program({ client, name, owning, read, write }));
  await clock.advanceAsync('50s');
};

/** Has a lock for a job of 30 s, while `keep` renews it, then releases it. */
const job = (keep) => writing(async ({ client, owning }) => {
  const lead = flagOf(owning);
  for (;;) {
    const asked = performance.now();
    if ((await attempt(lockIt(client))) === 'ok' && performance.now() < asked + LEASE) {
      lead.up();
      await keep({ client, lead, asked, until: performance.now() + 30_000 });
      lead.down();
      await attempt(client.release({ key: 'leader', owner: client.owner }, DEADLINE));
    }
    await sleep(3_000);
  }
});

/** Renews until a job ends. Only with a lease the job ends before the lock does. */
async function renewing({ client, lead, asked, until }, { givesUp = false, hasLease }) {
  const extend = hasLease ? leaseOf(lead) : () => {};
  extend(asked + LEASE);
  while (lead.isUp && performance.now() < until) {
    await sleep(4_000);
    const at = performance.now();
    const outcome = await attempt(lockIt(client));
    if (outcome === 'ok' && lead.isUp) extend(at + LEASE);
    else if (outcome === 'refused' && hasLease) lead.down();
    else if (outcome === 'unknown' && givesUp) await sleep(until - performance.now());
  }
}

/** Two hosts write to a storage that sees who has the lock. */
const owned = (program) => async ({ host, server, clock, fail }) => {
  const write = (name) => {
    const owner = server.table()[0]?.owner;
    if (!owner?.startsWith(name)) fail(`${name} writes while ${owner ?? 'nobody'} has the lock`);
  };
  for (const name of ['a', 'b']) host(name, ({ client }) => program({ client, name, write }));
  await clock.advanceAsync('1m');
};

/** Writes while its lease lasts by a clock. */
const leasing = (now) => async ({ client, name, write }) => {
  let until = 0;
  setInterval(() => now() < until && write(name), 1_500);
  for (;;) {
    const asked = now();
    if ((await attempt(lockIt(client))) === 'ok') until = asked + LEASE;
    await sleep(4_000);
  }
};

/** Locket as the Redis of node-redlock, which asks for a key by a script. Its random value of a lock is one owner. */
function redisOf(client) {
  const values = [];
  const run = async (script, [key, value, ms]) => {
    const n = values.indexOf(value) < 0 ? values.push(value) : values.indexOf(value) + 1;
    const owner = `${client.owner}-${n}`;
    const isRelease = script.includes('"del"');
    const outcome = await attempt(isRelease ? client.release({ key, owner }) : client.lock({ key, owner, ttl: `${ms}ms` }));
    if (outcome === 'unknown') throw new Error('Connection is closed.');
    return outcome === 'ok' ? 1 : 0;
  };
  return { evalsha: () => Promise.reject(new Error('NOSCRIPT')), eval: (script, _, args) => run(script, args) };
}

/** A program that node-redlock keeps a lock for. */
const withRedlock = (program) => owned(({ client, name, write }) => {
  const redlock = new Redlock([redisOf(client)], { retryCount: -1, retryDelay: 3_000, automaticExtensionThreshold: 5_000 });
  return program({ redlock, name, write });
});

/** Each program by the name of its flaw, as a function of whether it is mended. */
const PROGRAMS = [
  ['counts its lease from the reply', 'mike-marcacci/node-redlock#296', election, (isMended) => (it) =>
    campaign({ ...it, options: { timeout: '14s' }, from: isMended ? undefined : () => performance.now() })],
  ['renews without a deadline, and leads as long as no answer comes', 'garrytan/gbrain#1572', election, (isMended) => isMended ? campaign : async ({ client, lead }) => {
    for (;;) {
      lead.set((await attempt(lockIt(client, {}))) === 'ok');
      await sleep(4_000);
    }
  }],
  ['takes the shared host name for its owner', 'CopilotKit/OpenBot#435', election, (isMended) => (it) => campaign({ ...it, owner: isMended ? `vm-1/${it.name}` : 'vm-1' })],
  ['stops renewing at the first error, but not its work', 'CERT-Polska/Artemis#2371', election, (isMended) => isMended ? campaign : async ({ client, lead }) => {
    while ((await attempt(lockIt(client))) === 'refused') await sleep(4_000);
    lead.up();
    while ((await attempt(lockIt(client))) === 'ok') await sleep(4_000);
  }],
  ['lets renewals overlap, so that an old answer comes last', 'pathosDev/actor-ts#761', election, (isMended) => isMended ? campaign : async ({ client, lead }) => {
    const lease = leaseOf(lead);
    setInterval(async () => {
      if ((await attempt(lockIt(client, { timeout: '30s' }))) === 'ok') lease(performance.now() + LEASE);
      else lead.down();
    }, 4_000);
  }, { faults: { lateReply: '20s', partition: '20s' }, most: 2 }],
  ['retries at once while Locket is away', '', election, (isMended) => async ({ client, lead }) => {
    const lease = leaseOf(lead);
    for (;;) {
      const asked = performance.now();
      const outcome = await attempt(lockIt(client));
      if (outcome === 'ok') lease(asked + LEASE);
      if (outcome !== 'unknown' || isMended) await sleep(4_000);
    }
  }],
  ['reads its flag before a wait, and acts on it after', '', election, (isMended) => async ({ client, lead, leading }) => {
    const work = async () => {
      for (;;) {
        const { isUp } = lead;
        await sleep(1_500);
        if (isMended ? performance.now() < lead.until : isUp) leading.act('writes');
      }
    };
    void work();
    await campaign({ client, lead });
  }],
  ['takes a release without an answer for a failed one', '', election, (isMended) => async ({ client, lead }) => {
    const lease = leaseOf(lead);
    for (let round = 1; ; round += 1) {
      const asked = performance.now();
      if (lead.isUp && round % 4 === 0) {
        if (isMended) lead.down();
        if ((await attempt(client.release({ key: 'leader', owner: client.owner }, DEADLINE))) === 'ok') lead.down();
        await sleep(10_000);
      } else if ((await attempt(lockIt(client))) === 'ok') lease(asked + LEASE);
      await sleep(4_000);
    }
  }],
  ['makes a new owner for each attempt, which its own last one refuses', 'zk-ruby/zk#49', election, (isMended) => async ({ client, lead, name }) => {
    for (let id = 1; ; id += 1) {
      const owner = isMended ? name : `${name}-${id}`;
      if ((await attempt(client.lock({ key: 'leader', owner, ttl: '1h' }, DEADLINE))) === 'ok') break;
      await sleep(4_000);
    }
    lead.up();
  }, { faults: { lostReply: true } }],
  ['concedes after an error, and campaigns no more', 'mailgun/holster#48', election, (isMended) => isMended ? campaign : async ({ client, lead }) => {
    const lease = leaseOf(lead);
    for (let outcome; outcome !== 'unknown'; await sleep(4_000)) {
      const asked = performance.now();
      outcome = await attempt(lockIt(client));
      if (outcome === 'ok') lease(asked + LEASE);
    }
  }],
  ['lets the renewal in its timer reject unhandled', 'garrytan/gbrain#1567', election, (isMended) => isMended ? campaign : async ({ client, lead }) => {
    const lease = leaseOf(lead);
    const isOurs = async () => lockIt(client).then(() => true, (error) => {
      if (error.reason === 'lock-collision') return false;
      throw error;
    });
    setInterval(async () => {
      const asked = performance.now();
      if (await isOurs()) lease(asked + LEASE);
    }, 4_000);
  }],
  ['steps down after three failures, however long they take', 'garrytan/gbrain#1572', election, (isMended) => isMended ? campaign : tolerating(2)],
  ['asks who leads, and acts on the answer', 'docker-archive/classicswarm#2528', election, (isMended) => async ({ client, name, lead, leading }) => {
    void campaign({ client, lead });
    for (;;) {
      await sleep(2_500);
      const owner = await client.fetch('leader').then((row) => row.owner, () => undefined);
      if (isMended ? performance.now() < lead.until : owner === name) leading.act('writes');
    }
  }],
  ['goes on with its work when the signal aborts', 'deathandmayhem/jolly-roger#1488', election, (isMended) => ({ client, look, leading }) => {
    client.elect({ key: 'leader' }, {
      onLead: async (signal) => {
        const leave = leading.enter();
        if (isMended) signal.addEventListener('abort', leave);
        while (!signal.aborted) {
          await look();
          await sleep(3_000);
        }
        leave();
      },
    });
  }],
  ['tolerates one lost renewal, but not two', 'nextlyhq/nextly#777', election, (isMended) => isMended ? campaign : tolerating(1), { faults: { lostMessage: true }, most: 2 }],
  ['measures its lease by the wall clock', 'nupurmadaan04/SOUL_SENSE_EXAM#1195', owned, (isMended) => leasing(isMended ? () => performance.now() : () => Date.now()),
    { faults: { clockStep: '-1m', partition: '30s' }, most: 2 }],
  ['measures its lease by a clock that stands while its machine is suspended', 'HarperFast/harper#2498', owned, (isMended) => leasing(isMended ? () => Date.now() : () => performance.now()),
    { faults: { suspend: '20s' } }],
  ['works by redlock’s `using` until its signal aborts', 'mike-marcacci/node-redlock#253', withRedlock, (isMended) => async ({ redlock, name, write }) => {
    const work = async (isOurs) => {
      for (; isOurs(); await sleep(1_500)) write(name);
    };
    for (;; await sleep(3_000)) {
      if (!isMended) await redlock.using(['job'], 15_000, (signal) => work(() => !signal.aborted)).catch(() => {});
      else await redlock.acquire(['job'], 15_000).then((lock) => work(() => Date.now() < lock.expiration));
    }
  }],
  ['renews no more after an error, and works to the end', 'linagora/cozy-stack#4911', job, (isMended) => (it) => renewing(it, { hasLease: isMended, givesUp: true })],
  ['does not look at its lock after a wait, before it writes', 'kagkarlsson/db-scheduler#402', writing, (isMended) => async ({ client, owning, read }) => {
    for (;;) {
      const lock = await client.acquire({ key: 'job', ttl: TTL });
      const leave = owning.enter();
      lock.signal.addEventListener('abort', leave);
      for (let i = 0; i < 3 && lock.held; i += 1) {
        await sleep(2_000);
        if (!isMended && !lock.held) break;
        await read();
        if (isMended && !lock.held) break;
        owning.act('writes');
      }
      leave();
      if (lock.held) await attempt(lock.release());
      await sleep(1_000);
    }
  }],
  ['writes to a storage that does not compare versions', 'brendanlong/lion-reader#917', (program, isMended) => writing(program, { isFenced: isMended }), () => async ({ client, name, read, write }) => {
    for (;;) {
      const lock = await client.acquire({ key: 'store', ttl: TTL });
      for (let i = 0; i < 3 && lock.held; i += 1) {
        const version = await read();
        await sleep(1_000);
        if (lock.held) await write(name, version).catch(() => {});
      }
      if (lock.held) await attempt(lock.release());
      await sleep(2_000);
    }
  }],
  ['clears its renewal timer only after the release', 'OptimalBits/bull#397', (program) => async ({ host, server, clock, fail }) => {
    host('a', program);
    await clock.advanceAsync('25s');
    if (server.table().length > 0) fail('the lock is held after the end of the job');
  }, (isMended) => async ({ client }) => {
    await client.lock({ key: 'job', ttl: TTL });
    const renewal = setInterval(() => void attempt(client.lock({ key: 'job', ttl: TTL }, DEADLINE)), 4_000);
    await sleep(10_000);
    if (isMended) clearInterval(renewal);
    await attempt(client.release({ key: 'job', owner: client.owner }, { timeout: '10s' }));
    clearInterval(renewal);
  }, { faults: { lateReply: '8s' } }],
  ['locks again with the same owner while its release is on its way', '', election, (isMended) => async ({ client, lead, name }) => {
    const lease = leaseOf(lead);
    for (let round = 1, owner = name; ; round += 1) {
      const asked = performance.now();
      if (lead.isUp && round % 3 === 0) {
        lead.down();
        if ((await attempt(client.release({ key: 'leader', owner }, { timeout: '2s' }))) === 'unknown' && isMended) owner = `${name}-${round}`;
      } else if ((await attempt(lockIt(client, DEADLINE, owner))) === 'ok') lease(asked + LEASE);
      await sleep(3_000);
    }
  }, { faults: { lateMessage: '10s' } }],
  ['frees the lock of a tick as soon as its job is done', 'go-co-op/gocron#841', (program) => async ({ host, clock, outside, fail }) => {
    const runs = new Set();
    const run = outside('run', (tick) => (runs.has(tick) ? fail(`tick ${tick} runs twice`) : runs.add(tick)));
    for (const name of ['a', 'b']) host(name, ({ client }) => program({ client, run }));
    await clock.advanceAsync('35s');
  }, (isMended) => async ({ client, run }) => {
    for (let tick = 1; ; tick += 1) {
      await sleep(10_000);
      const key = isMended ? `tick-${tick}` : 'tick';
      if ((await attempt(client.lock({ key, ttl: '1h' }, DEADLINE))) !== 'ok') continue;
      await run(tick);
      if (!isMended) await attempt(client.release({ key, owner: client.owner }, DEADLINE));
    }
  }, { faults: { pause: '5s' } }],
  ['believes it holds a lock that its renewals find gone', 'apache/hudi#19370', job, (isMended) => (it) => renewing(it, { hasLease: isMended })],
];

/** Each with a body for the search. */
export const FLAWED = PROGRAMS.map(([name, source, around, program, { faults = USUAL, most = 1 } = {}]) => ({
  name, source, faults, most, flawed: around(program(false), false), mended: around(program(true), true),
}));
