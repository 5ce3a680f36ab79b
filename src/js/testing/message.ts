// A message of a program: the faults of the plan for it, its way there, and the way back of its answer.

import { length } from '../base/times.js';
import { isOfLocket } from './fault.js';
import type { Program } from './host.js';
import type { Entry } from './trial.js';

/** A call as it is sent. */
export interface Message<T> {
  /** `lock`: its places are `a:lock1:sent` and `a:lock1:executed`. */
  readonly kind: string;
  /** For the trace, after the host's name. */
  readonly words: string;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The answer of a call whose deadline passes. */
  timedOut?(): T;
}

/** What a call came to. */
export interface Outcome<T> {
  readonly words: string;
  readonly afterMs: number;
  settle(): T;
}

/** The promise of a program that has ended: nothing waits for it. */
const never = (): Promise<never> => new Promise(() => {});

/** Carries a message; `deliver` executes it. */
/** @internal */
export function carry<T>(program: Program, message: Message<T>, deliver: () => Outcome<T> | Promise<Outcome<T>>): T | Promise<T> {
  const { host, machine } = program;
  if (machine.isHalted) return never();
  program.count('calls');
  const n = host.run.number(host.name, message.kind);
  const fate = host.run.reach(program, message, n, 'sent');
  if (machine.isHalted) return never();
  const passage = new Passage(program, message, n, fate, deliver);
  return machine.isFrozen ? passage.sendLater() : passage.send();
}

class Passage<T> {
  #entry!: Entry;
  #sentMs = 0;

  constructor(
    readonly program: Program,
    readonly message: Message<T>,
    readonly n: number,
    readonly fate: ReturnType<Program['host']['run']['reach']>,
    readonly deliver: () => Outcome<T> | Promise<Outcome<T>>,
  ) {}

  /** The program stands at the call until its machine resumes. */
  async sendLater(): Promise<T> {
    await this.program.machine.running(this.#call);
    return this.send();
  }

  send(): T | Promise<T> {
    const { host, clock } = this.program;
    this.#sentMs = clock.now;
    this.#entry = host.run.note(host.name, this.message.words);
    if (this.fate.has('lostMessage') || (isOfLocket(this.message.kind) && host.run.now < host.cutUntilMs)) return this.#wait(' … lost');
    const lateMs = this.fate.get('lateMessage') ?? 0;
    return lateMs > 0 ? this.#arriveLate(lateMs) : this.#arrive();
  }

  #arriveLate(ms: number): Promise<T> {
    const { run, name } = this.program.host;
    const arrival = new Promise<T>((resolve, reject) => {
      run.after(ms, () => {
        run.note('network', `the call of ${name} arrives: ${this.message.words}`);
        Promise.resolve(this.#arrive()).then(resolve, reject);
      });
    });
    return Promise.race([arrival, this.#wait(` … arrives ${length(ms)} later`)]);
  }

  #arrive(): T | Promise<T> {
    const outcome = this.deliver();
    return outcome instanceof Promise ? outcome.then((it) => this.#executed(it)) : this.#executed(outcome);
  }

  #executed(outcome: Outcome<T>): T | Promise<T> {
    const { host, machine } = this.program;
    host.run.reach(this.program, this.message, this.n, 'executed');
    if (machine.isHalted) return never();
    if (this.fate.has('lostReply')) return this.#wait(' … reply lost');
    const afterMs = outcome.afterMs + (this.fate.get('lateReply') ?? 0);
    if (afterMs > 0 || machine.isFrozen || machine.time.isBehind) return this.#wait('', outcome, afterMs);
    host.run.add(this.#entry, outcome.words);
    return outcome.settle();
  }

  /** What comes first: the answer, the deadline, or the end of the caller's patience. */
  async #wait(words: string, outcome?: Outcome<T>, afterMs = 0): Promise<T> {
    const { host: { run }, machine: { time }, machine, clock } = this.program;
    const { timeoutMs, timedOut } = this.message;
    run.add(this.#entry, words);
    let answer = outcome;
    const begin = (done: () => void): (() => void) => {
      const late = (): void => {
        answer = timedOut && { words: ' ✗ deadline', afterMs: 0, settle: timedOut };
        done();
      };
      const stops = [
        ...(outcome === undefined ? [] : [time.startReply(afterMs, done)]),
        ...(timeoutMs === undefined || timedOut === undefined ? [] : [time.start(Math.max(0, this.#sentMs + timeoutMs - clock.now), late)]),
      ];
      return () => stops.forEach((stop) => stop());
    };
    try {
      await machine.until(begin, { words: 'waits for a reply, which arrives', atMs: undefined }, this.#call, 'unknown');
    } catch (error) {
      run.add(this.#entry, ' ✗ given up');
      throw error;
    }
    const { words: end, settle } = answer as Outcome<T>;
    run.add(this.#entry, end);
    return settle();
  }

  get #call(): { requestId: string; signal: AbortSignal | undefined } {
    return { requestId: '', signal: this.message.signal };
  }
}
