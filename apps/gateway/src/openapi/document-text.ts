import { openApiDocument } from './document.js';

/** The document as it is committed, for people to read its changes. */
export const documentText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
