// Gives everything else its turn between pieces of long work. Not by a timer: a test's fake ones would never ring.

const Channel = MessageChannel;
const nowMs = performance.now.bind(performance);

/** Short enough for a page at 60 frames a second. */
const PIECE_MS = 10;

/** A pause for the places where work can wait: it does only if the last was long enough ago, and then tells so before. */
export function pausesOf(onPause: () => void): () => Promise<void> {
  let sinceMs = nowMs();
  return async () => {
    if (nowMs() - sinceMs < PIECE_MS) return;
    onPause();
    await nextTurn();
    sinceMs = nowMs();
  };
}

/** Goes on when everything that waits has had its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
