/** Yields the values of a stream of JSON lines, each as soon as its line is complete. A last line without a line break is dropped. */
export async function* readLines<Line>(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      // Typed by the description of the API.
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
