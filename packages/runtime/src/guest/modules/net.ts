import { isIP, isIPv4, isIPv6 } from "../node/ip.ts";

let autoSelect = true;

export default {
  isIP,
  isIPv4,
  isIPv6,
  getDefaultAutoSelectFamily: () => autoSelect,
  setDefaultAutoSelectFamily(value: boolean) {
    autoSelect = value;
  },
};
