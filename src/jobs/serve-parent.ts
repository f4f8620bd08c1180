/** Called first by a child program: it lives as long as whoever started it wants to know something of it. */
export function serveParent(): void {
  // Whoever wanted to know is gone.
  process.once('disconnect', () => process.exit());
  // Sent to a whole group of processes, they are for the service; it ends this one.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}
