export default Object.assign(console, {
  Console: function Console() {
    return console;
  },
});
