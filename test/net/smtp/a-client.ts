import { SmtpClient, type SmtpClientOptions } from '../../../src/net/smtp/smtp-client.ts';
import type { DnsResolver, SmtpQuestion } from '../../../src/provider-kit/index.ts';

/** What DNS says of each host; every other is at 127.0.0.1. */
export const dnsWith = (hosts: Readonly<Record<string, readonly string[]>> = {}): DnsResolver => ({
  mx: async () => ({ outcome: 'error' }),
  addresses: async (host) => ({ outcome: 'found', records: hosts[host] ?? ['127.0.0.1'] }),
});

/** A client that asks hosts on loopback, whatever their names. */
export function aClient(options: Partial<SmtpClientOptions> = {}) {
  const client = new SmtpClient({ dns: dnsWith(), ...options });
  const ask = (port: number, question: Partial<SmtpQuestion> = {}) =>
    client.probe({
      domain: 'example.com',
      exchange: 'mx.example.com',
      port,
      heloName: 'probe.example.net',
      allowPrivateAddresses: true,
      ...question,
    });
  return { client, ask };
}
