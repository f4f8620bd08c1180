import {
  type Icon,
  IconAdjustments,
  IconApi,
  IconBook,
  IconChartHistogram,
  IconEyeOff,
  IconFlask,
  IconHistory,
  IconKey,
  IconListCheck,
  IconListSearch,
  IconLock,
  IconPlugConnected,
  IconUsers,
  IconVersions,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Access } from './access.ts';

/** A page behind the sign-in. */
export interface PageEntry {
  /** The build tells it to the server, in the page. */
  readonly path: string;
  readonly title: string;
  readonly icon: Icon;
  /** The section of the navigation; null for pages that are reached from others. */
  readonly section: Section | null;
  readonly access: Access;
  /** Fetched when the page is opened for the first time. Its default export takes the path's parameters. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Pages that are shown without a session, by name. */
export const SIGNED_OUT = {
  signIn: { path: '/sign-in', load: () => import('./pages/sign-in/sign-in-page.tsx') },
  setup: { path: '/setup', load: () => import('./pages/setup/setup-page.tsx') },
} as const;

/** In the order of the navigation. */
export const SECTIONS = ['Account', 'Policy', 'Administration', 'Help'] as const;
export type Section = (typeof SECTIONS)[number];

/** Every page, in the order of the navigation: a new one is one line here. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Overview',
    icon: IconChartHistogram,
    section: 'Account',
    access: { account: 'viewer' },
    load: () => import('./pages/overview/overview-page.tsx'),
  },
  {
    path: '/checks',
    title: 'Checks',
    icon: IconListSearch,
    section: 'Account',
    access: { account: 'viewer' },
    load: () => import('./pages/checks/checks-page.tsx'),
  },
  {
    path: '/checks/:id',
    title: 'A check',
    icon: IconListSearch,
    section: null,
    access: { account: 'viewer' },
    load: () => import('./pages/check/check-page.tsx'),
  },
  {
    path: '/try',
    title: 'Try it',
    icon: IconFlask,
    section: 'Account',
    access: 'signed_in',
    load: () => import('./pages/try/try-page.tsx'),
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: IconKey,
    section: 'Account',
    access: 'signed_in',
    load: () => import('./pages/keys/keys-page.tsx'),
  },
  {
    path: '/rules',
    title: 'Rules',
    icon: IconAdjustments,
    section: 'Policy',
    access: { operator: 'analyst' },
    load: () => import('./pages/rules/rules-page.tsx'),
  },
  {
    path: '/rules/history',
    title: 'Rule history',
    icon: IconVersions,
    section: 'Policy',
    access: { operator: 'analyst' },
    load: () => import('./pages/rules/history/history-page.tsx'),
  },
  {
    path: '/rules/shadow',
    title: 'Shadow board',
    icon: IconEyeOff,
    section: 'Policy',
    access: { operator: 'analyst' },
    load: () => import('./pages/rules/shadow/shadow-page.tsx'),
  },
  {
    path: '/providers',
    title: 'Providers',
    icon: IconPlugConnected,
    section: 'Policy',
    access: { operator: 'analyst' },
    load: () => import('./pages/providers/providers-page.tsx'),
  },
  {
    path: '/lists',
    title: 'Lists',
    icon: IconListCheck,
    section: 'Policy',
    access: { operator: 'analyst' },
    load: () => import('./pages/lists/lists-page.tsx'),
  },
  {
    path: '/lists/named/:name',
    title: 'A named list',
    icon: IconListCheck,
    section: null,
    access: { operator: 'analyst' },
    load: () => import('./pages/lists/named-list-page.tsx'),
  },
  {
    path: '/people',
    title: 'People',
    icon: IconUsers,
    section: 'Administration',
    access: { operator: 'owner' },
    load: () => import('./pages/people/people-page.tsx'),
  },
  {
    path: '/audit',
    title: 'Audit trail',
    icon: IconHistory,
    section: 'Administration',
    access: 'signed_in',
    load: () => import('./pages/audit/audit-page.tsx'),
  },
  {
    path: '/docs',
    title: 'Docs',
    icon: IconBook,
    section: 'Help',
    access: 'signed_in',
    load: () => import('./pages/docs/document-page.tsx'),
  },
  {
    path: '/docs/openapi',
    title: 'API reference',
    icon: IconApi,
    section: 'Help',
    access: 'signed_in',
    load: () => import('./pages/docs/reference/reference-page.tsx'),
  },
  {
    path: '/docs/dashboard-openapi',
    title: 'API reference of the dashboard',
    icon: IconApi,
    section: null,
    access: 'signed_in',
    load: () => import('./pages/docs/reference/reference-page.tsx'),
  },
  {
    path: '/docs/:name',
    title: 'A document',
    icon: IconBook,
    section: null,
    access: 'signed_in',
    load: () => import('./pages/docs/document-page.tsx'),
  },
  {
    path: '/docs/:folder/:name',
    title: 'A document in a folder',
    icon: IconBook,
    section: null,
    access: 'signed_in',
    load: () => import('./pages/docs/document-page.tsx'),
  },
  {
    path: '/account/password',
    title: 'Your password',
    icon: IconLock,
    section: null,
    access: 'signed_in',
    load: () => import('./pages/password/password-page.tsx'),
  },
];
