const integralText = /^(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]\+?(\d{1,2}))?$/;
const earliestSeconds = Date.UTC(2019, 0, 1) / 1000;
const endSeconds = Date.UTC(2100, 0, 1) / 1000;

/**
 * Unix seconds of a JSON number's text, also of `1.6E9` and `1600000000.0`; undefined where it is no whole number or of
 * before 2019 or after 2099: the feed refuses such an event, and a record cannot be dated by it.
 */
export function readSeconds(text: string): number | undefined {
  const match = integralText.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const places = Number(exponent);
  if (/[1-9]/.test(fraction.slice(places))) return undefined;
  const seconds = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  return seconds >= earliestSeconds && seconds < endSeconds ? seconds : undefined;
}
