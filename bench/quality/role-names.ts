/** RFC 2142: sections 3 (business), 4 (network operations), 5 (services) and 6 (the administrator of a mailing list). */
export const RFC_2142: readonly string[] = [
  ...['info', 'marketing', 'sales', 'support'],
  ...['abuse', 'noc', 'security'],
  ...['postmaster', 'hostmaster', 'usenet', 'news', 'webmaster', 'www', 'uucp', 'ftp'],
  'list-request',
];

/** Role addresses that Mailchimp refuses to import: mailchimp.com/help/limits-on-role-based-addresses. */
export const MAILCHIMP: readonly string[] = [
  ...['abuse', 'admin', 'billing', 'compliance', 'devnull', 'dns', 'ftp', 'hostmaster', 'inoc'],
  ...['ispfeedback', 'ispsupport', 'list-request', 'list', 'maildaemon', 'noc', 'no-reply', 'noreply'],
  ...['null', 'phish', 'phishing', 'postmaster', 'privacy', 'registrar', 'root', 'security', 'spam'],
  ...['support', 'sysadmin', 'tech', 'undisclosed-recipients', 'unsubscribe', 'usenet', 'uucp'],
  ...['webmaster', 'www'],
];
