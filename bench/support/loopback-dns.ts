import { type DnsServer, startDnsServer, type Zone } from '../../test/support/dns-server.ts';
import { domains, takesMail } from './addresses.ts';

/** A real DNS server on loopback that knows the addresses' domains; other names get NXDOMAIN. */
export function startLoopbackDns(firms?: number): Promise<DnsServer> {
  const zone: Record<string, Zone[string]> = { 'mx.example.com': { A: ['203.0.113.10'] } };
  for (const domain of domains(firms).filter(takesMail)) {
    zone[domain] = { MX: [{ exchange: 'mx.example.com', preference: 10 }] };
  }
  return startDnsServer(zone);
}
