#include "cli/completion.h"

/* bash splits words at "=" as well, so that --by=file comes as three. */
static const char head[] = "# Completion of foldstat for bash; made by: foldstat completion bash\n"
                           "_foldstat()\n"
                           "{\n"
                           "    local cur=${COMP_WORDS[COMP_CWORD]} prefix='' option='' "
                           "command=top words='' two=no i word\n"
                           "    local -a operands=()\n"
                           "    local files=yes dashes=no\n"
                           "    COMPREPLY=()\n"
                           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                           "        word=${COMP_WORDS[i]}\n"
                           "        case $dashes:$word in\n"
                           "        no:--) dashes=yes ;;\n"
                           "        no:=) ((i++)) ;;\n"
                           "        ";

static const char middle[] = ")\n"
                             "            option=$word\n"
                             "            [[ ${COMP_WORDS[i + 1]} == '=' ]] || ((i++))\n"
                             "            ;;\n"
                             "        no:-?*) ;;\n"
                             "        *) operands+=(\"$word\") ;;\n"
                             "        esac\n"
                             "    done\n"
                             "    if [[ $dashes == no && $cur == '=' ]]; then\n"
                             "        option=${COMP_WORDS[COMP_CWORD - 1]} cur=\n"
                             "    elif [[ $dashes == no && $cur == --*=* ]]; then\n"
                             "        option=${cur%%=*} prefix=$option= cur=${cur#*=}\n"
                             "    elif ((i <= COMP_CWORD)); then\n"
                             "        option=\n"
                             "    fi\n"
                             "    case ${operands[0]} in\n";

static const char after_commands[] = "    esac\n"
                                     "    case $command:$option in\n"
                                     "    help:*)\n"
                                     "        files=no\n"
                                     "        ((${#operands[@]} == 1)) && words='";

static const char after_help[] = "'\n"
                                 "        ;;\n"
                                 "    completion:*)\n"
                                 "        files=no\n"
                                 "        ((${#operands[@]} == 1)) && words='";

static const char after_topics[] = "'\n"
                                   "        ;;\n";

/* Behind the rows of words: any other value, then operands and names of options. */
static const char after_words[] = "    *:-?*) files=no ;;\n"
                                  "    *)\n"
                                  "        if [[ $dashes == no && $cur == -* ]]; then\n"
                                  "            files=no\n"
                                  "            case $command in\n";

static const char tail_before_commands[] =
    "            esac\n"
    "        elif ((${#operands[@]} == 0)) && [[ $dashes == no ]]; then\n"
    "            words='";

static const char tail[] =
    "'\n"
    "        fi\n"
    "        ;;\n"
    "    esac\n"
    "    if [[ $two == yes && $cur == *,* ]]; then\n"
    "        word=${cur%%,*} prefix+=$word, cur=${cur#*,} words=\" $words \"\n"
    "        [[ $cur == *,* ]] && words=\n"
    "        words=${words/ $word / }\n"
    "    fi\n"
    "    [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -P \"$prefix\" "
    "-W \"$words\" -- \"$cur\")\n"
    "    if [[ $files == yes ]]; then\n"
    "        if ((${#COMPREPLY[@]} == 0)) && [[ -z $prefix ]]; then\n"
    "            compopt -o default 2>/dev/null\n"
    "        else\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "
    "\"$prefix\" -f -- \"$cur\")\n"
    "        fi\n"
    "    fi\n"
    "}\n"
    "complete -F _foldstat foldstat\n";

/* "top:--format) files=no words='table json' ;;", and nothing behind ")" where files are taken. */
static void put_values(FILE *to, const struct fst_command *command)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_flags_of(command, flags);
    for (size_t i = 0; i < count; i++) {
        const struct fst_option *option = flags[i].option;
        size_t nwords = fst_words_of(option->id, command, words);
        bool file = fst_option_takes_file(option);
        if (!file && nwords == 0) {
            continue;
        }
        (void)fputs("    ", to);
        if (flags[i].letter != 0) {
            (void)fprintf(to, "%s:-%c|", command->name, flags[i].letter);
        }
        (void)fprintf(to, "%s:--%s)", command->name, flags[i].name);
        if (file) {
            (void)fputs(" ;;\n", to);
        } else {
            (void)fputs(" files=no words='", to);
            fst_put_words(to, words, nwords);
            (void)fprintf(to, "'%s ;;\n",
                          fst_takes_two_words(option->id, command) ? " two=yes" : "");
        }
    }
}

static void put_options(FILE *to, const struct fst_command *command)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    size_t count = fst_flags_of(command, flags);
    (void)fprintf(to, "            %s) words='", command->name);
    for (size_t i = 0; i < count; i++) {
        if (flags[i].letter != 0) {
            (void)fprintf(to, "%s-%c", i == 0 ? "" : " ", flags[i].letter);
        }
        if (flags[i].name[0] != '\0') {
            (void)fprintf(to, "%s--%s", i == 0 && flags[i].letter == 0 ? "" : " ", flags[i].name);
        }
    }
    (void)fputs("' ;;\n", to);
}

void fst_completion_bash(FILE *to)
{
    (void)fputs(head, to);
    fst_put_valued(to, "no:", "|");
    (void)fputs(middle, to);
    (void)fputs("    ", to);
    for (size_t i = 0; i < fst_command_count; i++) {
        (void)fprintf(to, "%s|", fst_commands[i]->name);
    }
    (void)fputs("help|completion) command=${operands[0]} ;;\n", to);
    (void)fputs(after_commands, to);
    fst_put_help_topics(to);
    (void)fputs(after_help, to);
    fst_put_shells(to);
    (void)fputs(after_topics, to);
    for (size_t i = 0; i < fst_command_count; i++) {
        put_values(to, fst_commands[i]);
    }
    (void)fputs(after_words, to);
    for (size_t i = 0; i < fst_command_count; i++) {
        put_options(to, fst_commands[i]);
    }
    (void)fputs(tail_before_commands, to);
    fst_put_commands(to);
    (void)fputs(tail, to);
}
