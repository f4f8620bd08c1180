/** Saves a whole text as a file. A link to the service would say nothing of a refusal, nor of an answer that breaks off. */
export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // After a second the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
