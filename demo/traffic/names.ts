/** First names of many places, as people write them in addresses. */
export const FIRST_NAMES = (
  'jane john maria wei omar anna peter sofia ivan chloe akira nina lucas emma noah olivia liam mia hugo elena marco ' +
  'fatima youssef amara kofi priya arjun mei hiro yuki diego camila mateo valentina lars ingrid sven astrid pavel ' +
  'katya zofia jakub hannah felix clara paul marie louis alice george ruth daniel sara david laura tom eva max'
).split(' ');

export const LAST_NAMES = (
  'doe smith garcia chen hassan novak meyer rossi petrov martin sato berg johnson williams brown silva santos costa ' +
  'fernandez lopez moreau dubois bernard schmidt fischer weber wagner becker kowalski nowak horvath nagy ivanova ' +
  'popescu okafor mensah diallo sharma patel gupta tanaka suzuki kim park lee nguyen tran hansen larsen nielsen ' +
  'virtanen korhonen murphy kelly walsh evans clark hall young king'
).split(' ');

/** Words of firm names. Two of them, under `.example`, make a domain that cannot be registered (RFC 2606). */
export const FIRM_WORDS = (
  'north harbor bright stone river field oak maple summit lake iron silver blue green west hill vale cloud light ' +
  'forge works labs freight foods media health legal energy design logistics motors capital garden books'
).split(' ');

/** Mail services for everybody, with about the share that each has among people who sign up. */
export const FREE_DOMAINS = [
  ['gmail.com', 60],
  ['outlook.com', 9],
  ['hotmail.com', 6],
  ['yahoo.com', 8],
  ['icloud.com', 6],
  ['gmx.de', 3],
  ['web.de', 2],
  ['proton.me', 3],
  ['googlemail.com', 1],
  ['live.com', 2],
] as const;

/** Throw-away services that everybody knows. */
export const DISPOSABLE_DOMAINS = [
  ['mailinator.com', 6],
  ['yopmail.com', 4],
  ['guerrillamail.com', 3],
  ['10minutemail.com', 3],
  ['trashmail.com', 2],
  ['sharklasers.com', 2],
] as const;

/** Misspelt domains. Some of them exist in the demo's DNS zone, and take mail. */
export const MISSPELT_DOMAINS = [
  ['gmial.com', 4],
  ['gamil.com', 3],
  ['gmail.con', 3],
  ['hotmial.com', 2],
  ['outlok.com', 1],
  ['yaho.com', 1],
] as const;

export const ROLES = ['info', 'sales', 'admin', 'support', 'office', 'billing'] as const;
