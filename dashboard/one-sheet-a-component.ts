import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { stylesOfEntry } from './chunks.ts';

const WHOLE = '@mantine/core/styles.layer.css';
/** Sheets that belong to no component, in the order of the whole sheet. */
const BASE = ['baseline', 'default-css-variables', 'global'];
const CLASS_NAMES = /@mantine\/core\/esm\/.*\.module\.mjs$/;

/**
 * Replaces Mantine's whole style sheet by the sheets of the components in use, each in the chunk of its component. The order is that of the
 * whole sheet: the base sheets first, then those of the components that a component imports, then its own. The sheet of a later chunk lands
 * before those of the entry in the page, so the entry's go into the nested layer `mantine.first`, which all else in `mantine` overrides.
 */
export function oneSheetAComponent(): Plugin {
  return {
    name: 'postern:one-sheet-a-component',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/dashboard\/src\/main\.tsx$|\.module\.mjs$/ },
      handler: (code, id) => {
        if (CLASS_NAMES.test(id)) {
          const sheets = [...BASE, basename(id, '.module.mjs')];
          return { code: `${sheets.map(importOf).join('\n')}\n${code}`, map: null };
        }
        if (!id.endsWith('/main.tsx')) return null;
        const whole = `import '${WHOLE}';`;
        if (!code.includes(whole)) throw new Error(`${id} does not import ${WHOLE}`);
        return { code: code.replace(whole, ''), map: null };
      },
    },
    generateBundle: (_, bundle) => {
      for (const name of stylesOfEntry(bundle)) {
        const sheet = bundle[name];
        if (sheet?.type !== 'asset') throw new Error(`${name} is not in the bundle`);
        sheet.source = String(sheet.source).replaceAll('@layer mantine{', '@layer mantine.first{');
      }
    },
  };
}

function importOf(name: string): string {
  const sheet = `@mantine/core/styles/${name}.layer.css`;
  if (!existsSync(fileURLToPath(import.meta.resolve(sheet)))) throw new Error(`${sheet} is not there`);
  return `import '${sheet}';`;
}
