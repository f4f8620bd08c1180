import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it.runIf(process.platform === 'linux')(
  'connections leave files for the rest where a process may open few, and it says so: a check is answered beside more idle ones than there is room for',
  async () => {
    const postern = spawnPostern({ dataDir: join(temporaryDirectory(), 'data'), openFiles: 300 });
    onTestFinished(() => void postern.child.kill('SIGKILL'));
    const { httpsPort } = await postern.ready;
    const ca = readFileSync(join(postern.dataDir, 'tls/ca.pem'));
    const idle = await Promise.all(Array.from({ length: 150 }, () => settled(httpsPort, ca)));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });

    const client = aClient(postern.dataDir, httpsPort, keyOf(postern));
    onTestFinished(() => client.close());
    expect((await client.check('jane.doe@gmail.com')).status).toBe(200);
    postern.child.kill('SIGTERM');
    await postern.exited;
    expect(postern.stderr()).toMatch(
      /"open_files":300,"needed":8392,"connections_per_port":50,"msg":"fewer files may be open than http.max_connections needs/,
    );
    expect(postern.stderr()).not.toContain('EMFILE');
  },
);

/** Resolves to a connection that sends nothing, once it is established or was closed. */
function settled(port: number, ca: Buffer) {
  return new Promise<ReturnType<typeof connect>>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, ca }, () => resolve(socket));
    socket.on('error', () => resolve(socket));
    socket.on('close', () => resolve(socket));
  });
}
