// What a person has chosen for all tables, kept in this browser.

const KEY = "rulespec-table";
const DEFAULT = { theme: "", motion: true, sound: false, letters: true };

export function load() {
  try {
    return { ...DEFAULT, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULT };
  }
}

export function save(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing: it holds for this page
  }
}

export function apply({ theme, motion }) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  root.dataset.motion = motion ? "on" : "off";
}

// Two soft tones: it is your turn.
export function ring() {
  const sound = new AudioContext();
  [523, 784].forEach((frequency, n) => {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    const at = sound.currentTime + n * 0.12;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.35);
    tone.connect(volume).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.4);
  });
}
