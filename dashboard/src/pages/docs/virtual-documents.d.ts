// What dashboard/documents/documents-plugin.ts writes; documents.ts says of what types it is.
declare module 'virtual:documents';
declare module 'virtual:documents/search';
