// The messages of a program: calls of its client, requests of a client that it makes itself, and calls of other services.

import { callsUnderWay, type CallUnderWay, CLOCK, RESPOND } from '../base/in-process.js';
import { Code, type LocketServer } from '../node.js';
import type { Clock } from '../types.js';
import { wordsOf } from './call-words.js';
import type { Program } from './host.js';
import { on } from './machine-context.js';
import { carry, type Outcome } from './message.js';

type Carry = NonNullable<Program['machine']['hooks']['carry']>;
type Reply = Awaited<ReturnType<Carry>>;

/** Carries the calls of a program's client. */
/** @internal */
export function carrierOf(program: Program): Carry {
  return (sent, { timeoutMs, signal }, deliver) => {
    const message = { kind: sent.method, words: wordsOf(sent), timeoutMs, signal, timedOut: deadlineExceeded };
    return carry<Reply>(program, message, () => {
      const reply = deliver();
      return reply instanceof Promise ? reply.then(outcomeOf) : outcomeOf(reply);
    });
  };
}

function deadlineExceeded(): Reply {
  return { afterMs: 0, error: { code: Code.DeadlineExceeded, message: 'context deadline exceeded' } };
}

function outcomeOf(reply: Reply): Outcome<Reply> {
  const words = reply?.error !== undefined ? ` ✗ ${reply.error.message}` : reply?.resource === undefined ? ' ✓' : ` ✓ ${reply.resource.owner} holds it`;
  return { words, afterMs: reply?.afterMs ?? 0, settle: () => reply && { ...reply, afterMs: 0 } };
}

/** The server's `fetch` over the machine of a program, with its clock: a call in a request is one of the program's client. */
/** @internal */
export function fetchOf({ host: { name, run }, machine, clock }: Program): LocketServer['fetch'] {
  const send = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const underWay: Partial<CallUnderWay> = callsUnderWay().get(request.headers.get('uuid') ?? '') ?? {};
    // The clock that moves the machine waits for the call, unless its answer needs time.
    underWay.clock = run.server.clock;
    return run.server[RESPOND](request, async (question, sent) => {
      const [requestId, timeoutMs] = question.slice(-2) as [string, number | undefined];
      const call = { requestId, signal: underWay.keeper ?? request.signal, isKept: underWay.keeper !== undefined, timeoutMs };
      await run.turns.next(`${name} ${wordsOf(sent())}`);
      const answer = machine.ask(question, call);
      underWay.needsTime = answer instanceof Promise;
      const reply = await answer;
      const afterMs = reply?.afterMs ?? 0;
      underWay.needsTime = afterMs > 0;
      if (afterMs > 0) await machine.replyAfter(afterMs, call);
      return reply && { ...reply, afterMs: 0 };
    });
  };
  return Object.assign(send, { [CLOCK]: clock as unknown as Clock });
}

/** Work outside of the machine, such as that of another service. */
export async function outcomeOfWork<T>(work: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const result = await on(undefined, work);
    return { words: ' ✓', afterMs: 0, settle: () => result };
  } catch (error) {
    const fail = (): never => {
      throw error;
    };
    return { words: ` ✗ ${error instanceof Error ? error.message : String(error)}`, afterMs: 0, settle: fail };
  }
}
