import type { Rolldown } from 'vite';

export type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk & { readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } };

export function chunksOf(bundle: Bundle): readonly Chunk[] {
  return Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk');
}

/** The chunk that the page loads. */
export function entryOf(chunks: readonly Chunk[]): Chunk {
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error('the bundle has no entry');
  return entry;
}

/** The file names of the chunk, of all its static imports (transitively), and of their style sheets. */
export function closureOf(
  chunk: Chunk,
  byName: ReadonlyMap<string, Chunk>,
  seen = new Set<string>(),
): string[] {
  if (seen.has(chunk.fileName)) return [];
  seen.add(chunk.fileName);
  const imported = chunk.imports.flatMap((name) => byName.get(name) ?? []);
  return [
    chunk.fileName,
    ...(chunk.viteMetadata?.importedCss ?? []),
    ...imported.flatMap((next) => closureOf(next, byName, seen)),
  ];
}

/** The style sheets that the page has from the start. */
export function stylesOfEntry(bundle: Bundle): readonly string[] {
  const chunks = chunksOf(bundle);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  return closureOf(entryOf(chunks), byName).filter((file) => file.endsWith('.css'));
}
