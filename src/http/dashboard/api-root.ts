/** Where all of the management API lies. */
export const API_ROOT = '/dashboard/api';
