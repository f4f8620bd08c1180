/**
 * For a timer's end: first lets what has already arrived be read. A busy event loop runs timers that are overdue before
 * it looks at its sockets, and would call late what lies there in time.
 */
export function afterArrivals(then: () => void): () => void {
  return () => void setImmediate(then);
}
