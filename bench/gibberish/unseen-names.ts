import { createRequire } from 'node:module';
import { isHeldBack } from './held-back.ts';
import { readLanguages, tokens } from './languages.ts';
import type { Names } from './people.ts';

const require = createRequire(import.meta.url);

/** Packages with names of people that the model was not trained on. */
export const UNSEEN = ['@ngneat/falso', 'chance', 'indian-names'] as const;

/** Names by package, without those that the training saw in other packages. */
export function unseenNames(): ReadonlyMap<string, Names> {
  const seen = new Set(readLanguages().flatMap(({ given, family }) => [...given, ...family]));
  const isUnseen = (name: string) => isHeldBack(name) || !seen.has(name);
  const unseen = (given: readonly string[], family: readonly string[]): Names => ({
    given: tokens(given).filter(isUnseen),
    family: tokens(family).filter(isUnseen),
  });
  const indian = indianNames();
  return new Map([
    ['@ngneat/falso', unseen(falso('randFirstName'), falso('randLastName'))],
    ['chance', unseen(chance('firstNames'), chance('lastNames'))],
    ['indian-names', unseen(indian, indian)],
  ]);
}

interface Falso extends Record<'randFirstName' | 'randLastName', (options: object) => readonly string[]> {
  seed(seed: string): void;
}

/** The library exports no list: 10,000 draws find nearly all its names. */
function falso(draw: 'randFirstName' | 'randLastName'): readonly string[] {
  const library: Falso = require('@ngneat/falso');
  library.seed('unseen');
  return [true, false].flatMap((withAccents) => library[draw]({ length: 10_000, withAccents }));
}

function chance(list: 'firstNames' | 'lastNames'): readonly string[] {
  const { Chance } = require('chance');
  return textsIn(new Chance(1).get(list));
}

function indianNames(): readonly string[] {
  const {
    names,
  }: { readonly names: readonly { readonly name: string }[] } = require('indian-names/src/data/names.js');
  return names.map(({ name }) => name);
}

/** All texts in lists and objects, however deep. */
function textsIn(data: unknown): readonly string[] {
  if (typeof data === 'string') return [data];
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(textsIn) : [];
}
