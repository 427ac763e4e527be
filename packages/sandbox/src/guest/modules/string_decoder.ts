import decoder from "string_decoder/";

export default decoder;
