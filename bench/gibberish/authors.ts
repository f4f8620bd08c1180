import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';

/** Packages that ship a list of those who wrote them, with their addresses. */
export const AUTHORED = ['jquery', 'jquery-ui', 'sinon'] as const;
const FILES: Readonly<Record<(typeof AUTHORED)[number], string>> = {
  jquery: 'AUTHORS.txt',
  'jquery-ui': 'AUTHORS.txt',
  sinon: 'AUTHORS',
};
/** Made up by the service that hosts the code, or by who wrote the list. */
const NOT_CHOSEN = /noreply|unknown/;

/** Canonical local parts of people who chose their address themselves, each once. Read where they are, kept nowhere. */
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
