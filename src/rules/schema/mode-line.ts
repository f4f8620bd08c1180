import { posix } from 'node:path';
import { SCHEMA_FOLDER, schemaNameOf } from './rule-schemas.ts';

const MODE_LINE = /^# yaml-language-server: \$schema=.*/;

/** Line 1 of a file of the rules directory: where editors find its schema. `path` is relative to the directory. */
export function modeLineOf(path: string): string {
  const schema = `${SCHEMA_FOLDER}/${schemaNameOf(path)}.json`;
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), schema)}`;
}

/** The text with its mode line on line 1; one that names another schema is an author's choice, and stays. */
export function withModeLine(path: string, text: string): string {
  return MODE_LINE.test(text) ? text : `${modeLineOf(path)}\n${text}`;
}
