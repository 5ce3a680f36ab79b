// Lists of the members of a question, made of the JSON Schema: programs need them beside the types.

/** Whether each bound is a count or a duration. */
export function boundKinds({ properties }) {
  return Object.fromEntries(Object.entries(properties).map(([name, bound]) => [name, kindOf(bound)]));
}

const kindOf = ({ $ref }) => ($ref === undefined ? 'count' : 'duration');

/** Whether each property takes the time for which it may be broken. */
export function allowances({ oneOf }) {
  const of = ({ properties, required }) => (properties.allow === undefined ? 'takes-nothing' : required.includes('allow') ? 'must-allow' : 'may-allow');
  return Object.fromEntries(oneOf.map((shape) => [shape.properties.is.const, of(shape)]));
}

/** The options of the command line for bounds: the first sentence of each says what it is. */
export function boundOptions({ properties }) {
  const option = (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return Object.entries(properties).map(([name, bound]) => {
    const [sentence] = bound.description.split(/\.(?: |$)/);
    const meaning = sentence[0].toLowerCase() + sentence.slice(1).replaceAll(/`(\w+)`/g, (_, other) => option(other));
    const kind = kindOf(bound);
    return [`${option(name)} <${kind}>`, kind, meaning];
  });
}
