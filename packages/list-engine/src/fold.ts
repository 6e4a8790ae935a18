/**
 * Folds text for comparison regardless of case and compatibility forms: NFKC(lower(upper(NFKC(s)))) with ς as σ.
 * Source: docs/http-api.md, "Filters and sorting".
 */
export function fold(text: string): string {
  // Each mapping is locale-independent. A final sigma comes out of lower() alone, so it is replaced at the end.
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
