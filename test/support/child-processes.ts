import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';

/** Watches the child processes that are started from now on; returns a function for the ids of those that run. */
export function watchChildren(): () => readonly number[] {
  const children = new Set<ChildProcess>();
  const keep = (message: unknown) => {
    const { process: child } = message as { readonly process: ChildProcess };
    children.add(child);
    child.once('exit', () => children.delete(child));
  };
  subscribe('child_process', keep);
  onTestFinished(() => void unsubscribe('child_process', keep));
  return () => [...children].flatMap(({ pid }) => pid ?? []);
}
