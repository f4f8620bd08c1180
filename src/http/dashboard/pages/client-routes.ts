/**
 * The addresses at which the dashboard opens: each is answered with the same page, whose code shows what is meant. The
 * client's list is dashboard/src/pages.ts; a test holds its pages to this one. Everything else stays 404.
 */
export const CLIENT_ROUTES = [
  '/',
  '/sign-in',
  '/setup',
  '/account/password',
  '/checks',
  '/checks/:id',
  '/try',
  '/keys',
  '/rules',
  '/rules/history',
  '/rules/shadow',
  '/providers',
  '/lists',
  '/people',
  '/audit',
] as const;
