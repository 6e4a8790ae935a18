import { registerHooks } from 'node:module';

/**
 * Lets a program of this folder import the suite's TypeScript: Node strips types by itself but does not look for x.ts where
 * x.js is imported.
 */
export function importTypeScript() {
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOurs = /^\.{1,2}\//.test(specifier) && context.parentURL?.includes('/test/system/src/') !== false;
      return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
    },
  });
}
