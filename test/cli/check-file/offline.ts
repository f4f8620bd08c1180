import type { Outcome, World } from '../world.ts';

/** Runs `postern check --file` where nobody is asked. */
export function offline(world: World, ...argv: string[]): Promise<Outcome> {
  return world.postern(['check', '--offline', '--file', ...argv]);
}

/** One per line of JSON. */
export function objectsOf(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
