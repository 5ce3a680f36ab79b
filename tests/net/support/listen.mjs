// Servers of Node's on a free port of this machine.

/** Begins to listen: where, and `close()`, which cuts its connections. */
export async function listen(server, scheme = 'http') {
  const sockets = new Set();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const close = async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, host: `127.0.0.1:${port}`, url: `${scheme}://127.0.0.1:${port}`, cut, close };
}
