import { existsSync, readFileSync } from 'node:fs';

/** A test that a document names: its file below the root, and its title. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** Those that are not there. `root` ends in a slash. */
export const missingTests = <Test extends NamedTest>(root: string, tests: readonly Test[]): Test[] =>
  tests.filter(({ file, title }) => {
    if (!existsSync(root + file)) return true;
    const source = readFileSync(root + file, 'utf8');
    return !["'", '`', '"'].some((quote) => source.includes(`${quote}${title}${quote}`));
  });
