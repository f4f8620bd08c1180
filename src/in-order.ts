/** Asks about up to `sideBySide` items at once and yields the answers in the order of the items. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  sideBySide: number,
  ask: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const asked: Promise<R>[] = [];
  for await (const item of items) {
    const answer = ask(item);
    // It is awaited when its turn comes; until then a failure must not count as one that nobody handles.
    answer.catch(() => undefined);
    asked.push(answer);
    const [oldest] = asked;
    if (asked.length < sideBySide || oldest === undefined) continue;
    asked.shift();
    yield await oldest;
  }
  for (const answer of asked) yield await answer;
}
