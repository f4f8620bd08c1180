import { createHash } from 'node:crypto';
import { compact, html, type Markup, raw } from './markup.ts';
import { STYLE } from './style.ts';

/** A whole page that may load nothing and run nothing: its policy allows its own style sheet, by hash, and no more. */
export function renderDocument({ title, body }: { readonly title: string; readonly body: Markup }): string {
  const style = compact(raw(STYLE));
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return compact(html`
    <!DOCTYPE html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="${policy}">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <meta name="robots" content="noindex">
      <title>${title}</title>
      <style>${raw(style)}</style>
    </head>
    <body>
      ${body}
    </body>
    </html>`);
}
