import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';

/** One session, as the host saw it. */
export interface SeenSession {
  helo: string;
  isSecure: boolean;
  sender: string | undefined;
  readonly recipients: string[];
}

/** A mail host on loopback, closed when the test ends. */
export interface MailHost {
  readonly port: number;
  readonly sessions: readonly SeenSession[];
  /** Sessions that have not ended. */
  readonly open: number;
  /** The highest number of sessions open at once. */
  readonly mostAtOnce: number;
}

/** Answers a recipient: null accepts it, otherwise code and text of the refusal. */
type Recipients = (recipient: string, session: SeenSession) => readonly [code: number, text: string] | null;

export interface MailHostOptions extends SMTPServerOptions {
  readonly recipients?: Recipients;
  /** Awaited before each greeting. */
  readonly greeting?: () => Promise<unknown>;
}

export const takesAll: Recipients = () => null;
export const refusesUnknown: Recipients = () => [550, '5.1.1 User unknown'];

/** Shared by all hosts of a file, as it is slow to make. */
let certificate: ReturnType<typeof issueLocalhostCertificate> | undefined;

/** A real SMTP server. It offers STARTTLS with an untrusted certificate, as most do. */
export async function aMailHost({
  recipients = takesAll,
  greeting,
  ...options
}: MailHostOptions = {}): Promise<MailHost> {
  const sessions = new Map<string, SeenSession>();
  const open = new Set<string>();
  let mostAtOnce = 0;
  const seen = (id: string) => {
    const session = sessions.get(id) ?? { helo: '', isSecure: false, sender: undefined, recipients: [] };
    sessions.set(id, session);
    return session;
  };
  certificate ??= issueLocalhostCertificate(Date.now());
  const { cert, key } = await certificate;
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    disableReverseLookup: true,
    // The codes are written by the test itself.
    hideENHANCEDSTATUSCODES: true,
    onConnect: ({ id }, callback) => {
      seen(id);
      open.add(id);
      mostAtOnce = Math.max(mostAtOnce, open.size);
      void Promise.resolve(greeting?.()).then(() => callback());
    },
    onClose: ({ id }) => void open.delete(id),
    onMailFrom: ({ address }, { id, hostNameAppearsAs, secure }, callback) => {
      Object.assign(seen(id), { helo: hostNameAppearsAs, isSecure: secure, sender: address });
      callback();
    },
    onRcptTo: ({ address }, { id }, callback) => {
      const session = seen(id);
      session.recipients.push(address);
      const refusal = recipients(address, session);
      if (refusal === null) callback();
      else callback(Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }));
    },
    onData: () => {
      throw new Error('mail was sent');
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    port: portOf(listening),
    get sessions() {
      return [...sessions.values()];
    },
    get open() {
      return open.size;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
  };
}

export interface BareHost {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Every line that was received. */
  readonly lines: readonly string[];
}

/** A host whose `behave` has the bare socket; `next` waits for the client's next line. */
export async function aBareHost(
  behave: (socket: Socket, next: () => Promise<string>) => Promise<void> | void,
  at = '127.0.0.1',
): Promise<BareHost> {
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    const unread: string[] = [];
    let wake: () => void = () => undefined;
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      const whole = (rest + chunk.toString('latin1')).split('\r\n');
      rest = whole.pop() ?? '';
      unread.push(...whole);
      lines.push(...whole);
      wake();
    });
    const next = async () => {
      for (;;) {
        const line = unread.shift();
        if (line !== undefined) return line;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    void behave(socket, next);
  });
  await listen(server, at);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: portOf(server),
    get connections() {
      return connections;
    },
    lines,
  };
}

/** Answers each line with the next of the script, and is silent after the last. */
export function saying(...script: readonly string[]) {
  return async (socket: Socket, next: () => Promise<string>) => {
    const [greeting, ...replies] = script;
    if (greeting !== undefined) socket.write(`${greeting}\r\n`);
    for (const reply of replies) {
      await next();
      socket.write(`${reply}\r\n`);
    }
  };
}

async function listen(server: Server, at = '127.0.0.1'): Promise<void> {
  server.listen(0, at);
  await once(server, 'listening');
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
