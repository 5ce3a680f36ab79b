// Gives everything else its turn. Not by a timer: a test's fake ones would never ring.

const Channel = MessageChannel;

/** Goes on when everything that waits has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
