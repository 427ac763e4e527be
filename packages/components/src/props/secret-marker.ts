/** Stands for a secret in responses. A client that sends it back keeps the stored secret (G33). */
export const secretMarker: { readonly __secret: true } = Object.freeze({ __secret: true });
