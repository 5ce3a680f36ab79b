// One unary call over `fetch`: never rejects, and settles when the caller gives up, whatever `fetch` does.
//
// A call is a plain object:
//   fetch               what to use instead of the global one
//   headers             more headers for the request; credentials: its credentials mode
//   signal              gives the call up
//   timeoutMs           from when on the answer is too late
//   clock               the clock of that; the machine's if left out
//   maxMessageBytes     the largest message that is taken; gRPC's 4 MiB if left out
//   answer              left here when it is over: {code, message, data, outcome, cause, headers, trailers, metadata}

import { givenUp, late, outcomeOf } from './failure.js';
import { onAbort } from './signals.js';
import { REAL_CLOCK } from './timers.js';
import { transfer } from './transfer.js';

/** Makes a call, and leaves its answer there; `abandoned` is the carrier crate's signal. */
export async function exchange(call, request, abandoned) {
  const ended = await settle(call, request, abandoned);
  ended.outcome = outcomeOf(ended);
  call.answer = ended.headers === undefined ? { headers: {}, trailers: {}, metadata: {}, ...ended } : ended;
  return WITHOUT_BODY;
}

/** The part of a `Response` that the crate reads until it finds that there is no body. */
const WITHOUT_BODY = { status: 200, headers: [['content-type', 'application/grpc-web+proto']], body: null };

function settle(call, request, abandoned) {
  const { signal, timeoutMs } = call;
  // A call that is given up before it begins is not sent.
  if (signal?.aborted) return givenUp(signal.reason, 'no-effect');
  if (timeoutMs === 0) return late('no-effect');

  // Signals are slow to make, and this call needs none.
  if (signal === undefined && timeoutMs === undefined && abandoned === undefined) return transfer(call, request, undefined);

  const clock = call.clock ?? REAL_CLOCK;
  const startedMs = clock.read().monotonicMs;
  return new Promise((resolve) => {
    const controller = new AbortController();
    const end = (answer) => {
      stopTimer?.();
      stopListening?.();
      abandoned?.removeEventListener('abort', onAbandoned);
      resolve(answer);
    };
    const giveUp = (answerOf) => {
      // A fetch that knows that it has not sent anything yet says so on the reason, as it does on errors.
      controller.abort();
      end(answerOf(controller.signal.reason?.notSent === true ? 'no-effect' : 'unknown'));
    };
    const onAbandoned = () => giveUp((outcome) => givenUp(undefined, outcome));
    const stopListening = signal && onAbort(signal, () => giveUp((outcome) => givenUp(signal.reason, outcome)));
    abandoned?.addEventListener('abort', onAbandoned);
    const stopTimer =
      timeoutMs === undefined ? undefined : clock.startTimer(timeoutMs, () => giveUp(late));
    void transfer(call, request, controller.signal).then((answer) => {
      const tookMs = clock.read().monotonicMs - startedMs;
      end(tookMs >= lateFrom(timeoutMs) && outcomeOf(answer) === 'unknown' ? lateAnswer(answer) : answer);
    });
  });
}

/**
 * From this time on, a failure with an unknown outcome counts as a missed deadline. A proxy that got the deadline gives the
 * call up by its own clock: a little before ours or, on a busy machine, before our timer runs. Their order says nothing
 * about the call.
 */
function lateFrom(timeoutMs = Infinity) {
  return timeoutMs - Math.min(timeoutMs / 10, SLACK_MS_MAX);
}

function lateAnswer(answer) {
  return { ...answer, ...late('unknown', answer.cause ?? new Error(answer.message)) };
}

const SLACK_MS_MAX = 50;
