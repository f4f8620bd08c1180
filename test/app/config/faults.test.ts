import { describe, expect, it } from 'vitest';
import { faultsOf, type Given, load } from './load.ts';

const faults = (given: Given) => faultsOf(() => load(given));
const inLocal = (text: string) => faults({ written: { 'config/local.yaml': text } });

describe('a configuration file', () => {
  it('is refused with all its faults at once, each with line, column and path', async () => {
    const text = [
      'http:',
      '  prot: 1',
      '  port: "x"',
      'chekc: {}',
      'privacy: { store_addresses: hmca }',
    ].join('\n');
    expect((await inLocal(text)).toSorted()).toEqual([
      'config/local.yaml:2:3 http.prot is not a known key (did you mean port?)',
      'config/local.yaml:3:3 http.port must be a whole number, not "x"',
      'config/local.yaml:4:1 chekc is not a known key (did you mean check?)',
      'config/local.yaml:5:12 privacy.store_addresses must be one of plain, hmac, none, not "hmca" (did you mean hmac?)',
    ]);
  });

  it.each([
    ['http: { port: 65536 }', 'config/local.yaml:1:9 http.port must be at most 65535, not 65536'],
    ['http: { port: 1e309 }', 'config/local.yaml:1:9 http.port must be a whole number, not Infinity'],
    ['http: { port: null }', 'config/local.yaml:1:9 http.port must be a whole number, not null'],
    ['http: { host: "" }', 'config/local.yaml:1:9 http.host must not be empty'],
    ['http: 5', 'config/local.yaml:1:1 http must be a mapping, not 5'],
    ['http: { host: no }', undefined],
    [
      'http: { trusted_proxies: [10.0.0.0/8, 10.0.0.0/33] }',
      'config/local.yaml:1:39 http.trusted_proxies[1] must be an IP address or a CIDR range such as 10.0.0.0/8, not "10.0.0.0/33"',
    ],
    [
      'dns: { servers: ["ns.example"] }',
      'config/local.yaml:1:18 dns.servers[0] must be an IP address, with a port as 127.0.0.1:5353 or [::1]:5353, not "ns.example"',
    ],
    [
      'dns: { doh_url: "http://dns.example/" }',
      'config/local.yaml:1:8 dns.doh_url must be an https: URL (http: on loopback only) without a user or password, not "http://dns.example/"',
    ],
    [
      'dns: { doh_url: "https://ann:s3cret@dns.example/" }',
      'config/local.yaml:1:8 dns.doh_url must be an https: URL (http: on loopback only) without a user or password, not "https://ann:[redacted]@dns.example/"',
    ],
    [
      'storage: { url: "mysql://root:secret@db/x?sslpassword=secret" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "mysql://root:[redacted]@db/x?sslpassword=[redacted]"',
    ],
    // The / and @ of its password should have been escaped.
    [
      'storage: { url: "postgres://postern:p/s@ecret@db/x" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "postgres://postern:[redacted]@db/x"',
    ],
    [
      'storage: { url: "postgres://postern:s@ec/ret@db/x" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "postgres://postern:[redacted]@db/x"',
    ],
    // A slash or the scheme is missing.
    [
      'storage: { url: "postgres:/postern:s3cret@db/x" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "postgres:[redacted]@db/x"',
    ],
    [
      'storage: { url: "postern:s3cret@db/x" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "postern:[redacted]@db/x"',
    ],
    // As libpq writes it.
    [
      'storage: { url: "postgres://db/x", direct_url: "host=db user=postern password=s3cret" }',
      'config/local.yaml:1:36 storage.direct_url must be of the form postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "host=db user=postern password=[redacted]"',
    ],
    [
      'storage: { url: "host=db user=postern password=s3cret" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "host=db user=postern password=[redacted]"',
    ],
    [
      'shared_state: { url: "redis://:100%@cache" }',
      'config/local.yaml:1:17 shared_state.url must be of the form valkey://host:6379/0, or with valkeys:, redis: or rediss: (in a password @ is %40, / is %2F, % is %25), not "redis://:[redacted]@cache"',
    ],
    ['storage: { url: "postgres://db/x", direct_url: "postgresql://db/x" }', undefined],
    [
      'storage: { url: "postgres://ann@db/" }',
      'config/local.yaml:1:12 storage.url must be a path, plain or as sqlite:<path>, or postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "postgres://ann@db/"',
    ],
    ['shared_state: { url: "redis://cache/12" }', undefined],
    [
      'shared_state: { url: "redis://cache/postern" }',
      'config/local.yaml:1:17 shared_state.url must be of the form valkey://host:6379/0, or with valkeys:, redis: or rediss: (in a password @ is %40, / is %2F, % is %25), not "redis://cache/postern"',
    ],
    [
      'storage: { url: "postgres://db/x", direct_url: a.db }',
      'config/local.yaml:1:36 storage.direct_url must be of the form postgres://user@host/database (in a password @ is %40, / is %2F, % is %25), not "a.db"',
    ],
    [
      'shared_state: { url: "https://cache" }',
      'config/local.yaml:1:17 shared_state.url must be of the form valkey://host:6379/0, or with valkeys:, redis: or rediss: (in a password @ is %40, / is %2F, % is %25), not "https://cache"',
    ],
    ['shared_state: { url: "rediss://:secret@cache:6380/2" }', undefined],
    [
      'rules: { source: database }',
      'config/local.yaml:1:10 rules.source needs PostgreSQL, and storage.url is no postgres:// address',
    ],
    ['rules: { source: database }\nstorage: { url: "postgres://db/x" }', undefined],
    [
      'storage: { direct_url: "postgres://db/x" }',
      'config/local.yaml:1:12 storage.direct_url needs PostgreSQL, and storage.url is no postgres:// address',
    ],
    ['providers: { mx: 5 }', 'config/local.yaml:1:14 providers.mx must be a mapping, not 5'],
    [
      'providers: { path: [a] }',
      'config/local.yaml:1:14 providers.path must be a mapping (did you mean paths?)',
    ],
    ['metrics: { token: short }', 'config/local.yaml:1:12 metrics.token must have at least 16 characters'],
    [
      'http: { port: 8443, plain_port: 8443 }',
      'config/local.yaml:1:21 http.plain_port is 8443, as http.port is: each needs a port of its own',
    ],
    [
      'http: { port: 8080 }',
      'config/local.yaml:1:9 http.port is 8080, as http.plain_port is: each needs a port of its own',
    ],
    [
      'metrics: { token: "sixteen and blanks" }',
      'config/local.yaml:1:12 metrics.token must be ASCII without blanks: a header carries it',
    ],
    [
      'quota: { checks_per_month: 1e30 }',
      'config/local.yaml:1:10 quota.checks_per_month must be at most 1000000000000, not 1e+30',
    ],
    ['http: { port: 1, plain_port: null }\nmetrics: { port: null }', undefined],
    ['privacy: { hmac_key_file: "" }', 'config/local.yaml:1:12 privacy.hmac_key_file must not be empty'],
    [
      'http:\n  port:8443\n',
      'config/local.yaml:1:1 http must be a mapping, not text: a blank is missing after the colon',
    ],
    [
      'http:\n  port = 8443\n',
      'config/local.yaml:1:1 http must be a mapping, not text: a key takes a colon and a blank, not =',
    ],
    [
      'http:\n  trusted_proxies:\n    -10.0.0.0/8\n',
      'config/local.yaml:2:3 http.trusted_proxies must be a list, not "-10.0.0.0/8": a blank is missing after the dash',
    ],
    ['- a', 'config/local.yaml:1:1 must be a mapping of sections'],
    ['constructor: {}', 'config/local.yaml:1:1 constructor is not a known key'],
    ['"__proto__": { a: 1 }', 'config/local.yaml:1:1 __proto__ is not a known key'],
    [
      'http: { tls: { cert_file: a.pem } }',
      'config/local.yaml:1:16 http.tls.cert_file needs http.tls.key_file beside it',
    ],
  ])('with %s is reported as: %s', async (text, fault) => {
    expect(await inLocal(text)).toEqual(fault === undefined ? [] : [fault]);
  });

  it('is refused for a duplicate key', async () => {
    expect(await inLocal('log:\n  level: info\n  level: debug\nlog: {}')).toEqual([
      'config/local.yaml:3:3 this key stands also in line 2: leave one out',
      'config/local.yaml:4:1 this key stands also in line 1: leave one out',
    ]);
  });

  it.each([
    ['http: &h { port: 1 }\nlog: *h', ['1:7 an anchor is not allowed', '2:6 an alias is not allowed']],
    ['metrics:\n  token: &abcdefghijklmnop', ['2:10 an anchor is not allowed']],
    ['http: { port: !int 1 }', ['1:15 a tag is not allowed']],
    ['http: { port: !!int "8443" }', ['1:15 a tag is not allowed']],
    ['http:\n  <<: { port: 1 }', ['2:3 a merge key is not allowed']],
    ['%YAML 1.1\n---\nhttp: { port: 010000 }', ['1:1 YAML directives are not allowed']],
    ['http:\n  port: 08443', ['2:9 08443 is read as 8443']],
    ['metrics:\n  token: #abcdefghijklmnop', ['2:10 a comment begins here']],
    ['metrics: { token: abcdefghijklmnop #qrstuvw\n}', ['1:36 a comment begins here']],
    ['rules: { dir: “abcdefghijklmnop” }', ['1:15 the quotes are part of this text']],
    ['rules:\n  dir: /srv/rules #12', ['2:19 a comment begins here']],
    ['providers:\n  paths:\n    - /srv/a #b\n', ['3:14 a comment begins here']],
    ['quota:\n  checks_per_month: #5000', ['2:21 a comment begins here']],
    [
      'log: { level:\u00a0debug }',
      ['1:8 this looks like a blank, or like nothing, and is another character'],
    ],
  ])('is refused for a value that YAML reads as something else: %j', async (text, said) => {
    const found = await inLocal(text);
    expect(found.map((fault) => fault.replace('config/local.yaml:', ''))).toEqual(
      said.map((begin) => expect.stringMatching(new RegExp(`^${begin}(:|,|$)`))),
    );
  });

  it.each([
    'http: # the two ports\n  port: 8443 # HTTPS\n  # plain_port: 1',
    'http:\n  port: 8443 #HTTPS',
    'metrics:\n  token: # set by the environment\nquota:\n  checks_per_month: null # none',
    'rules:\n  dir: /srv/rules # of risk',
    'rules: { dir: "abcdefghijklmnop #qrs" }',
  ])('is accepted with comments as they are usually written: %j', async (text) => {
    expect(await inLocal(text)).toEqual([]);
  });

  it.each([
    ['as templates of Go print large numbers', 'quota: { checks_per_month: 1.6777216e+07 }'],
    ['with a page break in a comment', '# \f\nlog: { level: debug }'],
  ])('is accepted %s', async (_, text) => {
    expect(await inLocal(text)).toEqual([]);
  });

  it('is refused for broken YAML, with its position and a remedy, and without faults that only follow from it', async () => {
    expect(await inLocal('http: [')).toEqual(['config/local.yaml:1:7 this [ is never closed']);
    expect(await inLocal('http:\n  port: 1\n   host: x\nlog: 5')).toEqual([
      'config/local.yaml:2:9 this and what follows do not go together: is a line indented too far?',
    ]);
  });

  it('named by --config must exist', async () => {
    expect(await faults({ files: ['nowhere.yaml'] })).toEqual(['nowhere.yaml does not exist']);
  });

  it('that is a directory is reported as one', async () => {
    expect(await faults({ written: { 'd/x': '' }, files: ['d'] })).toEqual(['d is a directory, not a file']);
  });

  it('is reported as faulty also where a later layer would replace the value', async () => {
    const written = { 'config/local.yaml': 'http: { port: -1 }' };
    expect(await faults({ written, env: { POSTERN__HTTP__PORT: '1' } })).toHaveLength(1);
  });

  it('and the variables have their faults reported together', async () => {
    const written = { 'config/local.yaml': 'http: { port: -1 }', 'a.yaml': 'a: 1' };
    const found = await faults({
      written,
      files: ['a.yaml', 'b.yaml'],
      env: { POSTERN__X: '1' },
      port: 70_000,
    });
    expect(found.map((fault) => fault.split(/[: ]/)[0]).toSorted()).toEqual([
      '--port',
      'POSTERN__X',
      'a.yaml',
      'b.yaml',
      'config/local.yaml',
    ]);
  });
});

describe('a variable', () => {
  it.each([
    [
      { POSTERN__HTTP__PROT: '1' },
      'POSTERN__HTTP__PROT: is not a known key (did you mean POSTERN__HTTP__PORT?)',
    ],
    [{ POSTERN__HTTP: '{}' }, 'POSTERN__HTTP: is not a known key'],
    [{ POSTERN__HTTP__PORT: 'x' }, 'POSTERN__HTTP__PORT: must be a whole number, not "x"'],
    [{ POSTERN__HTTP__PORT: '' }, 'POSTERN__HTTP__PORT: must be a whole number'],
    [{ POSTERN__HTTP__TRUSTED_PROXIES: '["x"]' }, /^POSTERN__HTTP__TRUSTED_PROXIES: must be an IP address/],
    [{ POSTERN__HTTP__TRUSTED_PROXIES: '10.0.0.1' }, /^POSTERN__HTTP__TRUSTED_PROXIES: must be a list/],
    [{ POSTERN__LOG__LEVEL: 'inf' }, /^POSTERN__LOG__LEVEL: must be one of .*\(did you mean info\?\)$/],
    [{ POSTERN__METRICS__TOKEN_FILE: '' }, 'POSTERN__METRICS__TOKEN_FILE: must not be empty'],
    [{ POSTERN__METRICS__TOKEN_FILE: 'none' }, 'POSTERN__METRICS__TOKEN_FILE: none does not exist'],
    [
      { POSTERN__HTTP__TLS__KEY_FILE: 'k.pem' },
      'POSTERN__HTTP__TLS__KEY_FILE: needs http.tls.cert_file beside it',
    ],
    [{ POSTERN__HTTP__PORT_FILE: 'x' }, /^POSTERN__HTTP__PORT_FILE: is not a known key/],
  ])('%j is refused', async (env, fault) => {
    expect(await faults({ env })).toEqual([typeof fault === 'string' ? fault : expect.stringMatching(fault)]);
  });

  it('is refused where the secret is also given by file', async () => {
    const env = { POSTERN__METRICS__TOKEN: 'x'.repeat(16), POSTERN__METRICS__TOKEN_FILE: 'token' };
    expect(await faults({ written: { token: 'y'.repeat(16) }, env })).toEqual([
      'POSTERN__METRICS__TOKEN_FILE: says the same as POSTERN__METRICS__TOKEN; keep one of them',
    ]);
  });

  it.each([
    "metrics: { token: 'ab's3cret }",
    'metrics: { token: "ab"s3cret }',
    'metrics: { token: [ab]s3cret }',
    'metrics: { token: {ab}s3cret }',
    'metrics: { token:s3cret }',
    'metrics:\n  token:s3cret',
    'metrics: s3cret',
    'metrics: { token: ab, s3cret }',
    'metrics: { token: ab #s3cret }\n}',
    'metrics:\n  token: ab #s3cret',
    'metrics: { tok:s3cret: 1 }',
    'providers:\n  mx: token:s3cret',
    'metrics: { token: ab] s3cret }',
  ])('never has a secret quoted in a fault of its form: %s', async (text) => {
    const found = await faults({ written: { 'config/local.yaml': text } });
    expect(found).not.toEqual([]);
    expect(found.join()).not.toContain('s3cret');
  });

  it('never has its secret quoted in a fault', async () => {
    const found = await faults({ env: { POSTERN__METRICS__TOKEN: 'hunter2' } });
    expect(found).not.toEqual([]);
    expect(found.join()).not.toContain('hunter2');
  });
});
