// What the browser keeps: what was written outlives a reload and ends with the tab; what is `lasting`,
// as a choice of how the page looks, stays.
//
// Rule: where nothing may be stored, or there is no room, nothing is; the page works without.

const KEY = (name) => `kugiri-${name}`;
const storeOf = (lasting) => (lasting ? localStorage : sessionStorage);

/** What was kept under this name, or null. */
export function remembered(name, lasting = false) {
  try {
    return JSON.parse(storeOf(lasting).getItem(KEY(name)));
  } catch {
    return null; // what is stored is not ours, or may not be read
  }
}

/** Keep a value; where there is no room for it, nothing: better than half. */
export function remember(name, value, lasting = false) {
  let store;
  try {
    store = storeOf(lasting);
    store.setItem(KEY(name), JSON.stringify(value));
  } catch {
    store?.removeItem(KEY(name));
  }
}
