/** A raw amount ÷ 10^decimals as plain decimal without trailing zeros: (1500n, 3) gives '1.5'. */
export function scaledText(raw: bigint, decimals: number): string {
  const digits = String(raw).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

const fractionDigits = 9;

/**
 * A volume as the feed writes it: plain with at most nine fractional digits, in exponent form where that would be too
 * small (`1.23E-7`), and `0E-9` for nothing, as decimal types print them.
 */
export function volumeText(value: number): string {
  if (value === 0) return '0E-9';
  if (value < 1e-6 || value >= 1e15) return exponentText(value);
  return value.toFixed(fractionDigits);
}

export function exponentText(value: number): string {
  return value.toExponential(8).replace('e', 'E');
}
