import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../src/app/main.ts';
import { superviseService } from '../../src/cli/serve.ts';
import { createLogger } from '../../src/observability/logger.ts';

/** A process that records its exits and continues, so that a test can see what would be left. */
class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

function aService(fields: Partial<RunningService> = {}): RunningService {
  return {
    httpsPort: 8443,
    plainPort: null,
    metricsPort: null,
    caFile: null,
    firstKey: null,
    setupPath: null,
    reload: async () => {},
    countLeftBehind: () => {},
    stop: async () => {},
    ...fields,
  };
}

function supervise(start: () => Promise<RunningService>) {
  const host = new FakeProcess();
  const ready = Promise.withResolvers<void>();
  const log = createLogger('silent');
  const fatal = vi.spyOn(log, 'fatal');
  const ended = superviseService({ start, onReady: () => ready.resolve(), host, log });
  return { host, ready: ready.promise, ended, fatal };
}

describe('superviseService', () => {
  it.each(['SIGTERM', 'SIGINT'])(
    'stops at %s and exits with 0 once everything has stopped',
    async (signal) => {
      const stopping = Promise.withResolvers<void>();
      const { host, ready, ended } = supervise(async () => aService({ stop: () => stopping.promise }));
      let isEnded = false;
      void ended.then(() => {
        isEnded = true;
      });
      await ready;
      host.emit(signal, signal);
      await new Promise(setImmediate);
      expect(isEnded).toBe(false);
      stopping.resolve();
      expect(await ended).toBe(0);
      expect(host.exits).toEqual([]);
    },
  );

  it('exits with 1 at once at the second signal, of either kind', async () => {
    const { host, ready } = supervise(async () => aService({ stop: () => new Promise(() => {}) }));
    await ready;
    host.emit('SIGTERM');
    host.emit('SIGINT');
    expect(host.exits).toEqual([1]);
  });

  it('stops a service that receives the signal while it starts', async () => {
    const started = Promise.withResolvers<RunningService>();
    let stops = 0;
    const { host, ended } = supervise(() => started.promise);
    host.emit('SIGTERM');
    const stop = async () => {
      stops += 1;
    };
    started.resolve(aService({ stop }));
    expect(await ended).toBe(0);
    expect(stops).toBe(1);
  });

  it('exits with 1 when it cannot stop cleanly', async () => {
    const { host, ready, ended } = supervise(async () =>
      aService({ stop: () => Promise.reject(new Error('disk')) }),
    );
    await ready;
    host.emit('SIGTERM');
    expect(await ended).toBe(1);
  });

  it('reloads at each SIGHUP, continues after a failed reload, and ignores SIGHUP before it is ready', async () => {
    let reloads = 0;
    const reload = async () => {
      reloads += 1;
      throw new Error('no');
    };
    const started = Promise.withResolvers<RunningService>();
    const { host, ready, ended } = supervise(() => started.promise);
    host.emit('SIGHUP');
    host.emit('SIGHUP');
    started.resolve(aService({ reload }));
    await ready;
    await new Promise(setImmediate);
    expect(reloads).toBe(1);
    host.emit('SIGHUP');
    host.emit('SIGHUP');
    await new Promise(setImmediate);
    host.emit('SIGTERM');
    expect(await ended).toBe(0);
    expect({ reloads, exits: host.exits }).toEqual({ reloads: 3, exits: [] });
  });

  it.each(['uncaughtException', 'unhandledRejection'])('exits with 1 at an %s', async (event) => {
    const { host, ready, fatal } = supervise(async () => aService());
    await ready;
    host.emit(event, new TypeError('not for jane@plugin.example'));
    expect(host.exits).toEqual([1]);
    expect(fatal.mock.calls).toMatchObject([[{ err: { type: 'TypeError' } }, 'bug: the process ends']]);
    expect(JSON.stringify(fatal.mock.calls)).not.toContain('jane');
  });

  it('rejects when the start does, and removes its signal handlers', async () => {
    const { host, ended } = supervise(() => Promise.reject(new Error('fault')));
    await expect(ended).rejects.toThrow('fault');
    expect(host.eventNames()).toEqual([]);
  });
});
