import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';

/** Packages that ship a list of their authors with addresses. */
export const AUTHORED = ['jquery', 'jquery-ui', 'sinon'] as const;
const FILES: Readonly<Record<(typeof AUTHORED)[number], string>> = {
  jquery: 'AUTHORS.txt',
  'jquery-ui': 'AUTHORS.txt',
  sinon: 'AUTHORS',
};
/** Addresses made up by the code's hosting service, or by the list's writer. */
const NOT_CHOSEN = /noreply|unknown/;

/** Canonical local parts that people chose themselves, each once. Read from the installed packages; no copy is stored. */
export function localPartsOfAuthors(): readonly string[] {
  const addresses = AUTHORED.flatMap((name) => {
    const text = readFileSync(join(root, 'bench/node_modules', name, FILES[name]), 'utf8');
    return [...text.toLowerCase().matchAll(/<([^\s<>@]+)@([a-z\d.-]+)>/g)];
  });
  const chosen = addresses.filter(([address]) => !NOT_CHOSEN.test(address));
  return [...new Set(chosen.map(([, localPart = '', domain = '']) => canonical(localPart, domain)))];
}

function canonical(localPart: string, domain: string): string {
  const withoutTag = localPart.split('+')[0] ?? '';
  return /^(gmail|googlemail)\.com$/.test(domain) ? withoutTag.replaceAll('.', '') : withoutTag;
}
