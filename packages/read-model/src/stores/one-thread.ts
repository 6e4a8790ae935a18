/**
 * Ends a statement that reads a page: several are read beside each other, and to spread each over threads as well costs the
 * server a third more.
 */
export const oneThread = 'SETTINGS max_threads = 1';
