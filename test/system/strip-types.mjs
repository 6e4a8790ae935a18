// Imported first by the programs of this folder: Node strips types by itself but does not look for x.ts where x.js is imported.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = /^\.{1,2}\//.test(specifier) && context.parentURL?.includes('/test/system/src/') !== false;
    return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
