// Modules made by dashboard/documents/documents-plugin.ts; documents.ts and sections.ts give them types.
declare module 'virtual:documents';
declare module 'virtual:documents/search';
