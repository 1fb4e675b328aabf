// What was written into the chat and the training outlives a reload, as the text does; no longer.

const KEY = (name) => `kugiri-${name}`;

/** What was kept under this name, or null. */
export function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(KEY(name)));
  } catch {
    return null; // what is stored is not ours, or may not be read
  }
}

/** Keep a value; where there is no room for it, nothing. */
export function remember(name, value) {
  try {
    sessionStorage.setItem(KEY(name), JSON.stringify(value));
  } catch {
    sessionStorage.removeItem(KEY(name));
  }
}
