import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { type Bundle, chunksOf, closureOf, entryOf } from './chunks.ts';

const NAME = 'before-app.js';
const EMITTED = /^assets\/before-app-.*\.js$/;
const ROOT = '<div id="root">';
const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g;

/**
 * Puts before-app.js, hashed like the other assets, first into the page, and hands it the files of each page. Moves the style sheet behind
 * the frame in index.html, which then does not wait for it, and before the app's root, whose own styles override it.
 */
export function beforeTheApp(here: string): Plugin {
  const source = readFileSync(join(here, NAME), 'utf8');
  return {
    name: 'postern:before-the-app',
    buildStart() {
      if (this.environment.mode === 'build') this.emitFile({ type: 'asset', name: NAME, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (bundle === undefined) return [scriptTag({ src: `/${NAME}` })];
        const file = Object.keys(bundle).find((fileName) => EMITTED.test(fileName));
        if (file === undefined) throw new Error(`${NAME} was not emitted`);
        const sheets = html.match(STYLESHEET) ?? [];
        return {
          html: html.replace(STYLESHEET, '').replace(ROOT, `${sheets.join('')}\n    ${ROOT}`),
          tags: [scriptTag({ src: `/${file}`, 'data-pages': JSON.stringify(filesOfPages(here, bundle)) })],
        };
      },
    },
  };
}

function scriptTag(attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'script', attrs, injectTo: 'head-prepend' };
}

/** By the path of each page of src/pages.ts: what it loads beside the app, as indices into `files`. */
function filesOfPages(here: string, bundle: Bundle) {
  const pages = [
    ...readFileSync(join(here, 'src/pages.ts'), 'utf8').matchAll(
      /path: '([^']+)',[\s\S]*?import\('\.\/([^']+)'\)/g,
    ),
  ];
  if (pages.length < 2) throw new Error('the pages of src/pages.ts are not to be found');
  const chunks = chunksOf(bundle);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const entry = entryOf(chunks);
  const loaded = new Set(closureOf(entry, byName));
  const files: string[] = [];
  const indexOf = (file: string) => {
    const name = basename(file);
    if (!files.includes(name)) files.push(name);
    return files.indexOf(name);
  };
  const entries = pages.map(([, path = '', module = '']) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}`));
    if (chunk === undefined) throw new Error(`no chunk has the page ${module}`);
    const own = closureOf(chunk, byName).filter((file) => !loaded.has(file));
    return [path, own.map(indexOf)] as const;
  });
  return { pages: Object.fromEntries(entries), files };
}
