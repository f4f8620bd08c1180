/** Signup addresses in roughly the shares of ordinary traffic: mostly free mail, then firms, some abuse. */
const FREE = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'gmx.de',
  'web.de',
  'proton.me',
  'yandex.ru',
];
const DISPOSABLE = ['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com'];
const FIRST = [
  'jane',
  'john',
  'maria',
  'li',
  'omar',
  'anna',
  'peter',
  'sofia',
  'ivan',
  'chloe',
  'akira',
  'nina',
];
const LAST = [
  'doe',
  'smith',
  'garcia',
  'wei',
  'hassan',
  'novak',
  'meyer',
  'rossi',
  'petrov',
  'martin',
  'sato',
  'berg',
];
const ROLE = ['info', 'admin', 'sales', 'support'];

/** Default number of firms' domains. */
const FIRMS = 30;

/**
 * The n-th address of an endless series of different addresses. Firms' domains lie under example.com, which is reserved
 * (RFC 2606); only the loopback DNS server is asked about any of the domains.
 */
export function addressAt(n: number, firms = FIRMS): string {
  return `${localPartAt(n)}@${domainAt(n, firms)}`;
}

/** All domains that addresses with as many `firms` can have. */
export function domains(firms = FIRMS): readonly string[] {
  return [
    ...FREE,
    ...DISPOSABLE,
    ...Array.from({ length: firms }, (_, firm) => firmAt(firm)),
    nowhereAt(0),
    nowhereAt(1),
  ];
}

/** Domains that take mail; the others do not exist. */
export function takesMail(domain: string): boolean {
  return !domain.includes('nowhere');
}

function localPartAt(n: number): string {
  const first = pick(FIRST, n);
  const last = pick(LAST, Math.floor(n / FIRST.length));
  const number = Math.floor(n / (FIRST.length * LAST.length));
  if (n % 23 === 0) return `${pick(ROLE, n)}+${n}`;
  if (n % 19 === 0) return `${scrambled(n)}${number}`;
  if (n % 7 === 0) return `${first}.${last}${number}+news`;
  return n % 3 === 0 ? `${first}${last}${number}` : `${first}.${last}${number}`;
}

function domainAt(n: number, firms: number): string {
  if (n % 29 === 0) return pick(DISPOSABLE, n);
  if (n % 31 === 0) return nowhereAt(n % 2);
  return n % 5 < 3 ? pick(FREE, Math.floor(n / 5)) : firmAt(Math.floor(n / 5) % firms);
}

const firmAt = (firm: number): string => `firm-${firm}.example.com`;
const nowhereAt = (n: number): string => `nowhere-${n}.example.com`;

/** Twelve random-looking letters and digits (linear congruential generator of Numerical Recipes). */
function scrambled(n: number): string {
  let state = n;
  return Array.from({ length: 12 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 27).toString(32);
  }).join('');
}

function pick(from: readonly string[], n: number): string {
  return from[n % from.length] ?? '';
}
