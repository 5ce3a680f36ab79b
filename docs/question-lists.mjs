// Lists of the members of a question, made of the JSON Schema: programs need them beside the types.

/** Whether each property takes the time for which it may be broken. */
export function allowances({ oneOf }) {
  const of = ({ properties, required }) => (properties.allow === undefined ? 'takes-nothing' : required.includes('allow') ? 'must-allow' : 'may-allow');
  return Object.fromEntries(oneOf.map((shape) => [shape.properties.is.const, of(shape)]));
}

/** The faults on the command line: the first sentence of each says what it is. */
export function faultOptions({ properties }) {
  return Object.entries(properties).map(([field, { description, $ref }]) => {
    const [sentence] = description.replaceAll('\n', ' ').split(/\.(?: |$)/);
    const meaning = sentence.charAt(0).toLowerCase() + sentence.slice(1);
    return { field, takes: /[A-Z][a-z]+$/.exec($ref)[0].toLowerCase(), meaning };
  });
}
